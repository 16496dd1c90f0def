// Lists the results of calls, with CUDA 11's numbers: FERMATA_ERROR(name, driver_name, number,
// text) for the runtime's cudaErrorNAME that is the driver interface's CUDA_ERROR_NAME, then those
// that one of them has. The text is null if no call gives the result. The includer defines the
// macros; their definitions end here.
FERMATA_ERROR(InvalidValue, INVALID_VALUE, 1, "invalid argument")
FERMATA_ERROR(MemoryAllocation, OUT_OF_MEMORY, 2, "out of memory")
FERMATA_ERROR(InitializationError, NOT_INITIALIZED, 3, "initialization error")
FERMATA_ERROR(CudartUnloading, DEINITIALIZED, 4, "driver shutting down")
FERMATA_ERROR(ProfilerDisabled, PROFILER_DISABLED, 5, nullptr)
FERMATA_ERROR(ProfilerNotInitialized, PROFILER_NOT_INITIALIZED, 6, nullptr)
FERMATA_ERROR(ProfilerAlreadyStarted, PROFILER_ALREADY_STARTED, 7, nullptr)
FERMATA_ERROR(ProfilerAlreadyStopped, PROFILER_ALREADY_STOPPED, 8, nullptr)
FERMATA_RUNTIME_ERROR(InvalidConfiguration, 9, "invalid configuration argument")
FERMATA_RUNTIME_ERROR(InvalidPitchValue, 12, "invalid pitch argument")
FERMATA_RUNTIME_ERROR(InvalidSymbol, 13, "invalid device symbol")
FERMATA_RUNTIME_ERROR(InvalidHostPointer, 16, "invalid host pointer")
FERMATA_RUNTIME_ERROR(InvalidDevicePointer, 17, "invalid device pointer")
FERMATA_RUNTIME_ERROR(InvalidTexture, 18, "invalid texture reference")
FERMATA_RUNTIME_ERROR(InvalidTextureBinding, 19, "texture is not bound to a pointer")
FERMATA_RUNTIME_ERROR(InvalidChannelDescriptor, 20, "invalid channel descriptor")
FERMATA_RUNTIME_ERROR(InvalidMemcpyDirection, 21, "invalid copy direction for memcpy")
FERMATA_RUNTIME_ERROR(AddressOfConstant, 22, nullptr)
FERMATA_RUNTIME_ERROR(TextureFetchFailed, 23, nullptr)
FERMATA_RUNTIME_ERROR(TextureNotBound, 24, nullptr)
FERMATA_RUNTIME_ERROR(SynchronizationError, 25, nullptr)
FERMATA_RUNTIME_ERROR(InvalidFilterSetting, 26, nullptr)
FERMATA_RUNTIME_ERROR(InvalidNormSetting, 27, nullptr)
FERMATA_RUNTIME_ERROR(MixedDeviceExecution, 28, nullptr)
FERMATA_RUNTIME_ERROR(NotYetImplemented, 31, nullptr)
FERMATA_RUNTIME_ERROR(MemoryValueTooLarge, 32, nullptr)
FERMATA_ERROR(StubLibrary, STUB_LIBRARY, 34, nullptr)
FERMATA_RUNTIME_ERROR(InsufficientDriver, 35, nullptr)
FERMATA_RUNTIME_ERROR(CallRequiresNewerDriver, 36, nullptr)
FERMATA_RUNTIME_ERROR(InvalidSurface, 37, nullptr)
FERMATA_RUNTIME_ERROR(DuplicateVariableName, 43, nullptr)
FERMATA_RUNTIME_ERROR(DuplicateTextureName, 44, nullptr)
FERMATA_RUNTIME_ERROR(DuplicateSurfaceName, 45, nullptr)
FERMATA_ERROR(DevicesUnavailable, DEVICE_UNAVAILABLE, 46, nullptr)
FERMATA_RUNTIME_ERROR(IncompatibleDriverContext, 49, nullptr)
FERMATA_RUNTIME_ERROR(MissingConfiguration, 52, "__global__ function call is not configured")
FERMATA_RUNTIME_ERROR(PriorLaunchFailure, 53, nullptr)
FERMATA_RUNTIME_ERROR(LaunchMaxDepthExceeded, 65, nullptr)
FERMATA_RUNTIME_ERROR(LaunchFileScopedTex, 66, nullptr)
FERMATA_RUNTIME_ERROR(LaunchFileScopedSurf, 67, nullptr)
FERMATA_RUNTIME_ERROR(SyncDepthExceeded, 68, nullptr)
FERMATA_RUNTIME_ERROR(LaunchPendingCountExceeded, 69, nullptr)
FERMATA_RUNTIME_ERROR(InvalidDeviceFunction, 98, "invalid device function")
FERMATA_ERROR(NoDevice, NO_DEVICE, 100, "no CUDA-capable device is detected")
FERMATA_ERROR(InvalidDevice, INVALID_DEVICE, 101, "invalid device ordinal")
FERMATA_ERROR(DeviceNotLicensed, DEVICE_NOT_LICENSED, 102, nullptr)
FERMATA_RUNTIME_ERROR(SoftwareValidityNotEstablished, 103, nullptr)
FERMATA_RUNTIME_ERROR(StartupFailure, 127, nullptr)
FERMATA_ERROR(InvalidKernelImage, INVALID_IMAGE, 200, "device kernel image is invalid")
FERMATA_ERROR(DeviceUninitialized, INVALID_CONTEXT, 201, "invalid device context")
FERMATA_DRIVER_ERROR(CONTEXT_ALREADY_CURRENT, 202)
FERMATA_ERROR(MapBufferObjectFailed, MAP_FAILED, 205, nullptr)
FERMATA_ERROR(UnmapBufferObjectFailed, UNMAP_FAILED, 206, nullptr)
FERMATA_ERROR(ArrayIsMapped, ARRAY_IS_MAPPED, 207, nullptr)
FERMATA_ERROR(AlreadyMapped, ALREADY_MAPPED, 208, nullptr)
FERMATA_ERROR(NoKernelImageForDevice, NO_BINARY_FOR_GPU, 209,
              "no kernel image is available for execution on the device")
FERMATA_ERROR(AlreadyAcquired, ALREADY_ACQUIRED, 210, nullptr)
FERMATA_ERROR(NotMapped, NOT_MAPPED, 211, nullptr)
FERMATA_ERROR(NotMappedAsArray, NOT_MAPPED_AS_ARRAY, 212, nullptr)
FERMATA_ERROR(NotMappedAsPointer, NOT_MAPPED_AS_POINTER, 213, nullptr)
FERMATA_ERROR(ECCUncorrectable, ECC_UNCORRECTABLE, 214, nullptr)
FERMATA_ERROR(UnsupportedLimit, UNSUPPORTED_LIMIT, 215,
              "limit is not supported on this architecture")
FERMATA_ERROR(DeviceAlreadyInUse, CONTEXT_ALREADY_IN_USE, 216, nullptr)
FERMATA_ERROR(PeerAccessUnsupported, PEER_ACCESS_UNSUPPORTED, 217,
              "peer access is not supported between these two devices")
FERMATA_ERROR(InvalidPtx, INVALID_PTX, 218, "a PTX JIT compilation failed")
FERMATA_ERROR(InvalidGraphicsContext, INVALID_GRAPHICS_CONTEXT, 219, nullptr)
FERMATA_ERROR(NvlinkUncorrectable, NVLINK_UNCORRECTABLE, 220, nullptr)
FERMATA_ERROR(JitCompilerNotFound, JIT_COMPILER_NOT_FOUND, 221, nullptr)
FERMATA_ERROR(UnsupportedPtxVersion, UNSUPPORTED_PTX_VERSION, 222,
              "the provided PTX was compiled with an unsupported toolchain.")
FERMATA_ERROR(JitCompilationDisabled, JIT_COMPILATION_DISABLED, 223, nullptr)
FERMATA_RUNTIME_ERROR(UnsupportedExecAffinity, 224, nullptr)
FERMATA_ERROR(InvalidSource, INVALID_SOURCE, 300, "device kernel image is invalid")
FERMATA_ERROR(FileNotFound, FILE_NOT_FOUND, 301, "file not found")
FERMATA_ERROR(SharedObjectSymbolNotFound, SHARED_OBJECT_SYMBOL_NOT_FOUND, 302, nullptr)
FERMATA_ERROR(SharedObjectInitFailed, SHARED_OBJECT_INIT_FAILED, 303, nullptr)
FERMATA_ERROR(OperatingSystem, OPERATING_SYSTEM, 304,
              "OS call failed or operation not supported on this OS")
FERMATA_ERROR(InvalidResourceHandle, INVALID_HANDLE, 400, "invalid resource handle")
FERMATA_ERROR(IllegalState, ILLEGAL_STATE, 401,
              "the operation cannot be performed in the present state")
FERMATA_ERROR(SymbolNotFound, NOT_FOUND, 500, "named symbol not found")
FERMATA_ERROR(NotReady, NOT_READY, 600, "device not ready")
FERMATA_ERROR(IllegalAddress, ILLEGAL_ADDRESS, 700, "an illegal memory access was encountered")
FERMATA_ERROR(LaunchOutOfResources, LAUNCH_OUT_OF_RESOURCES, 701,
              "too many resources requested for launch")
FERMATA_ERROR(LaunchTimeout, LAUNCH_TIMEOUT, 702, "the launch timed out and was terminated")
FERMATA_ERROR(LaunchIncompatibleTexturing, LAUNCH_INCOMPATIBLE_TEXTURING, 703, nullptr)
FERMATA_ERROR(PeerAccessAlreadyEnabled, PEER_ACCESS_ALREADY_ENABLED, 704,
              "peer access is already enabled")
FERMATA_ERROR(PeerAccessNotEnabled, PEER_ACCESS_NOT_ENABLED, 705,
              "peer access has not been enabled")
FERMATA_ERROR(SetOnActiveProcess, PRIMARY_CONTEXT_ACTIVE, 708,
              "cannot set while device is active in this process")
FERMATA_ERROR(ContextIsDestroyed, CONTEXT_IS_DESTROYED, 709, "context is destroyed")
FERMATA_ERROR(Assert, ASSERT, 710, "device-side assert triggered")
FERMATA_ERROR(TooManyPeers, TOO_MANY_PEERS, 711, nullptr)
FERMATA_ERROR(HostMemoryAlreadyRegistered, HOST_MEMORY_ALREADY_REGISTERED, 712,
              "part or all of the requested memory range is already mapped")
FERMATA_ERROR(HostMemoryNotRegistered, HOST_MEMORY_NOT_REGISTERED, 713,
              "pointer does not correspond to a registered memory region")
FERMATA_ERROR(HardwareStackError, HARDWARE_STACK_ERROR, 714, nullptr)
FERMATA_ERROR(IllegalInstruction, ILLEGAL_INSTRUCTION, 715,
              "an illegal instruction was encountered")
FERMATA_ERROR(MisalignedAddress, MISALIGNED_ADDRESS, 716, "misaligned address")
FERMATA_ERROR(InvalidAddressSpace, INVALID_ADDRESS_SPACE, 717, nullptr)
FERMATA_ERROR(InvalidPc, INVALID_PC, 718, nullptr)
FERMATA_ERROR(LaunchFailure, LAUNCH_FAILED, 719, "unspecified launch failure")
FERMATA_ERROR(CooperativeLaunchTooLarge, COOPERATIVE_LAUNCH_TOO_LARGE, 720,
              "too many blocks in cooperative launch")
FERMATA_ERROR(NotPermitted, NOT_PERMITTED, 800, "operation not permitted")
FERMATA_ERROR(NotSupported, NOT_SUPPORTED, 801, "operation not supported")
FERMATA_ERROR(SystemNotReady, SYSTEM_NOT_READY, 802, nullptr)
FERMATA_ERROR(SystemDriverMismatch, SYSTEM_DRIVER_MISMATCH, 803, nullptr)
FERMATA_ERROR(CompatNotSupportedOnDevice, COMPAT_NOT_SUPPORTED_ON_DEVICE, 804, nullptr)
FERMATA_ERROR(StreamCaptureUnsupported, STREAM_CAPTURE_UNSUPPORTED, 900,
              "operation not permitted when stream is capturing")
FERMATA_ERROR(StreamCaptureInvalidated, STREAM_CAPTURE_INVALIDATED, 901,
              "operation failed due to a previous error during capture")
FERMATA_ERROR(StreamCaptureMerge, STREAM_CAPTURE_MERGE, 902,
              "operation would result in a merge of separate capture sequences")
FERMATA_ERROR(StreamCaptureUnmatched, STREAM_CAPTURE_UNMATCHED, 903,
              "capture was not ended in the same stream as it began")
FERMATA_ERROR(StreamCaptureUnjoined, STREAM_CAPTURE_UNJOINED, 904,
              "capturing stream has unjoined work")
FERMATA_ERROR(StreamCaptureIsolation, STREAM_CAPTURE_ISOLATION, 905,
              "dependency created on uncaptured work in another stream")
FERMATA_ERROR(StreamCaptureImplicit, STREAM_CAPTURE_IMPLICIT, 906,
              "operation would make the legacy stream depend on a capturing blocking stream")
FERMATA_ERROR(CapturedEvent, CAPTURED_EVENT, 907,
              "operation not permitted on an event last recorded in a capturing stream")
FERMATA_ERROR(StreamCaptureWrongThread, STREAM_CAPTURE_WRONG_THREAD, 908,
              "attempt to terminate a thread-local capture sequence from another thread")
FERMATA_ERROR(Timeout, TIMEOUT, 909, nullptr)
FERMATA_ERROR(GraphExecUpdateFailure, GRAPH_EXEC_UPDATE_FAILURE, 910,
              "the graph update was not performed because it included changes which violated "
              "constraints specific to instantiated graph update")
FERMATA_ERROR(InvalidClusterSize, INVALID_CLUSTER_SIZE, 912, "invalid cluster size")
FERMATA_ERROR(Unknown, UNKNOWN, 999, "unknown error")
FERMATA_RUNTIME_ERROR(ApiFailureBase, 10000, nullptr)
#undef FERMATA_ERROR
#undef FERMATA_RUNTIME_ERROR
#undef FERMATA_DRIVER_ERROR
