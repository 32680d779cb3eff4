#include <microhttpd.h>

typedef void *(*shim_begin)(void *context, const char *target, struct MHD_Connection *connection);

// Wrappers around MHD_start_daemon() and MHD_get_connection_info(), which are variadic functions
// that can't be used from Swift.

// Serves at a listening socket.
//
// One thread waits for all connections. A connection may be idle for `seconds`, and the head of a
// request may take half of `memory`.
static inline struct MHD_Daemon *shim_start(
    int socket, void *context, shim_begin begin, MHD_AccessHandlerCallback receive,
    MHD_RequestCompletedCallback end, unsigned connections, unsigned seconds, size_t memory
) {
    return MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_SUPPRESS_DATE_NO_CLOCK,
        0, NULL, NULL, receive, context,
        MHD_OPTION_LISTEN_SOCKET, socket,
        MHD_OPTION_URI_LOG_CALLBACK, begin, context,
        MHD_OPTION_NOTIFY_COMPLETED, end, context,
        MHD_OPTION_CONNECTION_LIMIT, connections,
        MHD_OPTION_CONNECTION_TIMEOUT, seconds,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, memory,
        MHD_OPTION_END
    );
}

static inline int shim_descriptor(struct MHD_Connection *connection) {
    return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
}
