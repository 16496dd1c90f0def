// Lists the references, one per checked buffer: FERMATA_REFERENCE(name, function). Parameters and
// buffers have the names of the launch file of the same name. Sums of floats are kept in double. The
// includer defines the macro; its definition ends here.
// references_memory.cpp: kernels that move, count or add.
FERMATA_REFERENCE(stride, stride)
FERMATA_REFERENCE(streamread, wantedElements)
FERMATA_REFERENCE(transpose, transpose)
FERMATA_REFERENCE(reduction_partial, reductionPartial)
FERMATA_REFERENCE(reduction_total, reductionTotal)
FERMATA_REFERENCE(clustersum, partSums)
FERMATA_REFERENCE(clusterway, chainEnds)
// references_algebra.cpp: transforms, products.
FERMATA_REFERENCE(fwt, walshTransform)
// references_memory.cpp
FERMATA_REFERENCE(hist64, histogram64)
FERMATA_REFERENCE(hist256, histogram256)
// references_atomics.cpp: atomics on words of the scratchpad.
FERMATA_REFERENCE(atomicbench, addedWords)
FERMATA_REFERENCE(histogram, imageHistogram)
FERMATA_REFERENCE(hough, lineVotes)
FERMATA_REFERENCE(kmeans, clusterSums)
FERMATA_REFERENCE(clusterhist, countedValues)
// references_memory.cpp
FERMATA_REFERENCE(scan, scan)
FERMATA_REFERENCE(scan_total, scanTotal)
// references_algebra.cpp
FERMATA_REFERENCE(matmul, matrixProduct)
FERMATA_REFERENCE(scalarprod, scalarProducts)
// references_rodinia.cpp
FERMATA_REFERENCE(lud, luFactors)
FERMATA_REFERENCE(nw, alignmentScores)
// references_signal.cpp: convolutions and transforms of signals and images, scans of matrices.
FERMATA_REFERENCE(conv1, convolvedRows)
FERMATA_REFERENCE(conv2, convolvedColumns)
FERMATA_REFERENCE(dct1, cosineTransform)
FERMATA_REFERENCE(dct2, inverseCosineTransform)
FERMATA_REFERENCE(dctshort, fixedPointTransform)
FERMATA_REFERENCE(idctshort, inverseFixedPointTransform)
FERMATA_REFERENCE(dwt, haarTransform)
FERMATA_REFERENCE(fft1, fourierRows)
FERMATA_REFERENCE(fft2, fourierColumns)
FERMATA_REFERENCE(matrixscan, matrixScan)
// references_product.cpp: a layer of a neural network, a scaled matrix product.
FERMATA_REFERENCE(backprop_partial, layerSums)
FERMATA_REFERENCE(backprop_weights, adjustedWeights)
FERMATA_REFERENCE(sgemm, scaledProduct)
// references_stencil.cpp: grids whose cells look at their neighbours.
FERMATA_REFERENCE(hotspot, chipTemperatures)
FERMATA_REFERENCE(srad, diffusedPicture)
// references_dxtc.cpp: compression of pictures.
FERMATA_REFERENCE(dxtc, compressedBlocks)
// references_rodinia.cpp: after the Rodinia suite.
FERMATA_REFERENCE(lavamd, particleForces)
FERMATA_REFERENCE(lud1, luDiagonalBlocks)
FERMATA_REFERENCE(lud2, luPerimeter)
FERMATA_REFERENCE(nw1, alignmentUpper)
FERMATA_REFERENCE(nw2, alignmentLower)
// references_mri.cpp: scans and sort of MRI gridding, after Parboil.
FERMATA_REFERENCE(mri1, segmentScan)
FERMATA_REFERENCE(mri1_sums, segmentSums)
FERMATA_REFERENCE(mri2, treeSums)
FERMATA_REFERENCE(mri3, treePrefixes)
FERMATA_REFERENCE(mri4_keys, keysByDigit)
FERMATA_REFERENCE(mri4_values, valuesByDigit)
// references_parboil.cpp: after the Parboil suite.
FERMATA_REFERENCE(cp, slicePotential)
FERMATA_REFERENCE(mriq_real, qMatrixReal)
FERMATA_REFERENCE(mriq_imaginary, qMatrixImaginary)
FERMATA_REFERENCE(mrifhd, reconstructionVector)
FERMATA_REFERENCE(sad, blockDifferences)
FERMATA_REFERENCE(tpacf, angleHistograms)
// references_simulation.cpp: after the Parboil suite.
FERMATA_REFERENCE(rpes, repulsionIntegrals)
FERMATA_REFERENCE(pns, petriNets)
// references_heartwall.cpp: after the Rodinia suite.
FERMATA_REFERENCE(heartwall_places, trackedPlaces)
FERMATA_REFERENCE(heartwall_templates, trackedTemplates)
FERMATA_REFERENCE(heartwall_correlations, trackedCorrelations)
// references_aes.cpp: AES, and inputs that a host program makes for its kernels.
FERMATA_REFERENCE(aes, encryptedBlocks)
FERMATA_REFERENCE(aesdec, decryptedBlocks)
FERMATA_REFERENCE(aes_round_keys, encryptionKeys)
FERMATA_REFERENCE(aesdec_round_keys, decryptionKeys)
FERMATA_REFERENCE(aes_tables, encryptionTables)
FERMATA_REFERENCE(aesdec_tables, decryptionTables)
FERMATA_REFERENCE(aesdec_substitutes, decryptionSubstitutes)
// references_tensor.cpp: kernels on tiles of 128-byte rows.
FERMATA_REFERENCE(hgemm, halfProduct)
FERMATA_REFERENCE(attention, attendedValues)
FERMATA_REFERENCE(ldtranspose, transposedHalves)
FERMATA_REFERENCE(cpasync, matrixTimesVector)
FERMATA_REFERENCE(bulkcopy, copiedBlocks)
FERMATA_REFERENCE(multicast, blocksOfClusters)
FERMATA_REFERENCE(tmagemm, halfProductOfRows)
FERMATA_REFERENCE(groupmma, sumsOfThreads)
FERMATA_REFERENCE(tcgemm, halfProductOfRows)
// references_rows.cpp: kernels that take a row at a time.
FERMATA_REFERENCE(softmax, softmaxRows)
FERMATA_REFERENCE(layernorm, normalisedRows)
#undef FERMATA_REFERENCE
