// Includes all helpers of the CUDA samples except helper_cuda.h.
#pragma once
#define COMMON_HELPER_FUNCTIONS_H_  // programs test whether it was included

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "exception.h"
#include "helper_image.h"
#include "helper_string.h"
#include "helper_timer.h"
