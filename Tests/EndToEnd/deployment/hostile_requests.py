"""Requests by which somebody would read a page that is not theirs, whatever server stands in front.

The page is /company/hr/, which is for human resources only."""

# Hostile inputs HP-01 to HP-08: spellings of the address and of its neighbours.
TARGETS = [
    "/company/hr", "/company/hr/", "/COMPANY/HR/", "/company/Hr/index.html", "/company/hr%2f",
    "/company/%68r/", "/company/%2568r/", "/press/../company/hr/", "/press/%2e%2e/company/hr/",
    "/press/%252e%252e/company/hr/", "/press/..%2fcompany/hr/", "/press/..%5ccompany/hr/",
    "/press/.%2e/company/hr/", "/press/..;/company/hr/", "/press;/../company/hr/",
    "//company/hr/", "///company//hr/", "/./company/hr/", "/press//../company/hr/",
    "/company/hr/.", "/company//hr/", "/company/hr/index.html", "/company/hr/index.html/",
    "/company/hr/;.css", "/company/hr/%00.css", "/company/hr/index.html%00", "/company/hr/%0a",
    "/company/hr/?.css", "/company/hr/%3f.css", "/company/hr/%23/press/", "/company/hr/#/press/",
    "/press#/../company/hr/", "/company/hr/?path=/press/", "/company/hr/%20", "/company/hr/x%c0%ae",
    "http://evil.example/company/hr/", "/_theme/../company/hr/", "/_theme/..%2fsite/company/hr/",
    "/_theme../site/company/hr/index.html", "/_theme/%2e%2e/releases/1/site/company/hr/index.html",
    "/_errors/../company/hr/", "/_errors/404.html/../../company/hr/", "/auth/../company/hr/",
    "/auth/check", "/auth/check/", "/auth//check", "/auth/check?x", "/access", "/../access",
    "/..%2faccess", "/%2e%2e/access", "/current/access", "/company/hr/%", "/company/hr/%zz",
    "/\x01company/hr/", "/company/hr/\x7f", "/company/hr/\xff", "*", "/" + "a/" * 3000,
]

# By which a proxy may be told another address, another host or another reader.
FIELDS = [
    "X-Original-URI: /press/", "X-Original-URL: /press/", "X-Forwarded-Uri: /press/",
    "X-Rewrite-URL: /press/", "X-Auth-Request-Redirect: https://evil.example",
    "X-Forwarded-Host: evil.example", "X-Forwarded-Proto: javascript",
    "Forwarded: host=evil.example;proto=http", "X-Forwarded-Prefix: //evil.example",
    "User-Agent: GoogleHC/1.0", "User-Agent: kube-probe/1.0", "Authorization: Bearer x",
    "Authorization: Basic Og==", "Site-Path: /press/", "SITE_PATH: /press/",
    "Site_Release: /tmp", "Site-Route: /auth/me", "X-SiteAuth-User: admin", "Cookie:",
    "Cookie: ;", "Cookie: ; ; ;", "Cookie: session_chunks=99999999", "Range: bytes=0-99",
    "If-None-Match: *", "Referer: javascript:alert(1)", "Sec-Fetch-Mode: navigate",
]

# Requests whose end two servers may see at different places (RFC 9112, section 11.2): the rest would be the
# beginning of somebody else's request. {host} is the site's name.
REST = "GET /company/hr/no-such/ HTTP/1.1\r\nHost: {host}\r\nX-Rest: "
CHUNKED_REST = "0\r\n\r\n" + REST
SMUGGLED = [
    # Both lengths, in each order, and the second in a disguise.
    *(
        "POST /press/ HTTP/1.1\r\nHost: {host}\r\n" + lengths + "\r\n" + CHUNKED_REST
        for lengths in [
            "Content-Length: 90\r\nTransfer-Encoding: chunked\r\n",
            "Transfer-Encoding: chunked\r\nContent-Length: 90\r\n",
            "Content-Length: 90\r\nTransfer-Encoding: xchunked\r\n",
            "Content-Length: 90\r\nTransfer-Encoding : chunked\r\n",
            "Content-Length: 90\r\nTransfer-Encoding:\tchunked\r\n",
            "Content-Length: 90\r\nTransfer-Encoding: \x0bchunked\r\n",
            "Content-Length: 90\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: cow\r\n",
            "Content-Length: 90\r\nTransfer-Encoding: cow, chunked\r\n",
            "Content-Length: 90\r\nTransfer-Encoding: chunked, identity\r\n",
            "Content-Length: 90\r\nTransfer_Encoding: chunked\r\n",
            "Content-Length: 90\r\nX: y\r\n Transfer-Encoding: chunked\r\n",
            "Content-Length: 90\r\nX: y\nTransfer-Encoding: chunked\r\n",
            "Content-Length: 90\r\nX: y\rTransfer-Encoding: chunked\r\n",
            "Content-Length: 90\r\nTransfer-Encoding\x00: chunked\r\n",
        ]
    ),
    # Two lengths, and lengths that are no numbers.
    *(
        "POST /press/ HTTP/1.1\r\nHost: {host}\r\n" + lengths + "\r\n" + REST
        for lengths in [
            "Content-Length: 0\r\nContent-Length: 90\r\n", "Content-Length: 90\r\nContent-Length: 0\r\n",
            "Content-Length: 0, 90\r\n", "Content-Length: +0\r\n", "Content-Length: 0x0\r\n",
            "Content-Length: -1\r\n", "Content-Length: 00\r\n", "Content-Length : 0\r\n", "Content-Length: \r\n",
        ]
    ),
    # Chunks that end elsewhere for some.
    *(
        "POST /press/ HTTP/1.1\r\nHost: {host}\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks + REST
        for chunks in [
            "0;x=\n\r\n\r\n", "0\n\n", "1\r\nab\r\n0\r\n\r\n", "0x0\r\n\r\n", "00000000000000000\r\n\r\n",
            "-0\r\n\r\n", "10000000000000000\r\n\r\n", "0\r\nX: y\r\n\r\n",
        ]
    ),
    # No body for some.
    *(
        method + " /press/ HTTP/1.1\r\nHost: {host}\r\nContent-Length: 90\r\n\r\n" + REST
        for method in ["GET", "HEAD", "OPTIONS", "TRACE", "DELETE"]
    ),
    "GET /press/ HTTP/1.0\r\nHost: {host}\r\nTransfer-Encoding: chunked\r\n\r\n" + CHUNKED_REST,
    "GET /press/ HTTP/0.9\r\nHost: {host}\r\n\r\n" + REST,
    "GET /press/ HTTP/1.1\r\nHost: {host}\r\nHost: evil.example\r\n\r\n" + REST,
    "GET /press/ HTTP/1.1\r\nHost: {host}\r\nExpect: 100-continue\r\nContent-Length: 90\r\n\r\n" + REST,
    "GET /press/ HTTP/1.1\r\nHost: {host}\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n"
    "HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\n\r\n" + REST,
    "GET /press/ HTTP/1.1\r\nHost: {host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    "Sec-WebSocket-Version: 777\r\n\r\n" + REST,
]

# The same by HTTP/2: fields that mean something else where the next server speaks HTTP/1.1.
SMUGGLED_BY_HTTP_2 = [
    {"transfer-encoding": "chunked"}, {"content-length": "0"}, {"content-length": "0", "transfer-encoding": "chunked"},
    {"x": "y\r\ntransfer-encoding: chunked"}, {"x": "y\r\n\r\n" + REST}, {"x\r\n\r\nGET /company/hr/ HTTP/1.1": "y"},
    {"x: y\r\ntransfer-encoding": "chunked"}, {":path": "/press/ HTTP/1.1\r\nhost: {host}\r\n\r\n" + REST},
    {":path": "/press/\r\n\r\n" + REST}, {":path": "/press/ /company/hr/"}, {":path": "company/hr/"}, {":path": ""},
    {":path": "http://evil.example/company/hr/"}, {":method": "GET /company/hr/ HTTP/1.1\r\nx: y\r\n\r\nGET"},
    {":method": "get"}, {":authority": "evil.example"}, {":authority": "{host}@evil.example"},
    {":authority": "{host}\r\n\r\n" + REST}, {"host": "evil.example"}, {":scheme": "http://evil.example/?"},
    {"Transfer-Encoding": "chunked"}, {"connection": "transfer-encoding"}, {"upgrade": "h2c"},
    {":unknown": "x"}, {"x": "y\0transfer-encoding: chunked"}, {"x ": "y"}, {"": "y"},
]
