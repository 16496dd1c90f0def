// hipRAND on the device, by the generators of our curand_kernel.h. Its numbers are not rocRAND's.
#pragma once
#include "../curand_kernel.h"

#define hiprand curand
#define hiprand4 curand4
#define hiprandState curandState
#define hiprandStatePhilox4_32_10 curandStatePhilox4_32_10
#define hiprandStatePhilox4_32_10_t curandStatePhilox4_32_10_t
#define hiprandStateXORWOW curandStateXORWOW
#define hiprandStateXORWOW_t curandStateXORWOW_t
#define hiprandState_t curandState_t
#define hiprand_init curand_init
#define hiprand_log_normal curand_log_normal
#define hiprand_log_normal2 curand_log_normal2
#define hiprand_log_normal2_double curand_log_normal2_double
#define hiprand_log_normal4 curand_log_normal4
#define hiprand_log_normal_double curand_log_normal_double
#define hiprand_normal curand_normal
#define hiprand_normal2 curand_normal2
#define hiprand_normal2_double curand_normal2_double
#define hiprand_normal4 curand_normal4
#define hiprand_normal_double curand_normal_double
#define hiprand_poisson curand_poisson
#define hiprand_poisson4 curand_poisson4
#define hiprand_uniform curand_uniform
#define hiprand_uniform2_double curand_uniform2_double
#define hiprand_uniform4 curand_uniform4
#define hiprand_uniform_double curand_uniform_double
