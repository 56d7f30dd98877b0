/** The cluster of compose.yaml, run as people run it, and what it survives. */
@NullMarked
package io.alrai.testcontainers.compose;

import org.jspecify.annotations.NullMarked;
