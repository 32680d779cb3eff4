/* The least that a program behind FastCGI can do: answers 204. The limit to compare siteauth with. */
#include <fcgiapp.h>
#include <pthread.h>

static int listening;

static void *serve(void *unused) {
    FCGX_Request request;
    FCGX_InitRequest(&request, listening, 0);
    while (FCGX_Accept_r(&request) == 0) {
        FCGX_PutS("Status: 204 No Content\r\n\r\n", request.out);
        FCGX_Finish_r(&request);
    }
    return unused;
}

int main(int count, char **arguments) {
    if (count != 2) return 64;
    FCGX_Init();
    listening = FCGX_OpenSocket(arguments[1], 1024);
    pthread_t threads[24];
    for (int index = 0; index < 24; index++) pthread_create(&threads[index], 0, serve, 0);
    pthread_join(threads[0], 0);
    return 0;
}
