// NVBit's channel from the GPU to a thread of the host, as the tool uses it. Written for the test.
#pragma once

#include <pthread.h>
#include <stdint.h>

class ChannelDev {
 public:
  __device__ void push(void* packet, uint32_t bytes);
  __device__ void flush();
};

class ChannelHost {
 public:
  void init(int id, int bytes, ChannelDev* device, void* (*receive)(void*), void* argument);
  uint32_t recv(void* buffer, uint32_t most);
  pthread_t get_thread();
};
