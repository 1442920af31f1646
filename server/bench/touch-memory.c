/* Answers every request over HTTP, and touches exactly as many bytes of memory for each open connection as its second argument says. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MOST = 65536, EVENTS = 64 };
static const char answer[] = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\nok";
static void *memory[MOST];

int main(int count, char **given) {
  if (count != 3) return 2;
  size_t bytes = strtoul(given[2], NULL, 10);
  struct rlimit files;
  getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max < MOST ? files.rlim_max : MOST;
  setrlimit(RLIMIT_NOFILE, &files);
  /* The table of connections is not to grow while memory is read. */
  memset(memory, 1, sizeof memory);
  memset(memory, 0, sizeof memory);
  int one = 1, listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(atoi(given[1]))};
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
  if (bind(listener, (struct sockaddr *)&at, sizeof at) != 0 || listen(listener, 4096) != 0) return 1;
  int poll = epoll_create1(0);
  struct epoll_event due[EVENTS], wanted = {.events = EPOLLIN, .data.fd = listener};
  epoll_ctl(poll, EPOLL_CTL_ADD, listener, &wanted);
  char request[4096];
  for (;;) {
    int ready = epoll_wait(poll, due, EVENTS, -1);
    for (int nth = 0; nth < ready; nth++) {
      int from = due[nth].data.fd;
      if (from == listener) {
        int opened = accept4(listener, NULL, NULL, SOCK_NONBLOCK);
        if (opened < 0) continue;
        wanted.data.fd = opened;
        epoll_ctl(poll, EPOLL_CTL_ADD, opened, &wanted);
        memory[opened] = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory[opened] == MAP_FAILED) return 1;
        memset(memory[opened], 1, bytes);
      } else if (read(from, request, sizeof request) > 0) {
        if (write(from, answer, sizeof answer - 1) < 0) return 1;
      } else {
        munmap(memory[from], bytes);
        close(from);
      }
    }
  }
}
