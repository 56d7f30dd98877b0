/**
 * Statement shapes: a text without its literals, scanned without allocating a tree. The hot path.
 */
@NullMarked
package io.alrai.optimizer.api.shape;

import org.jspecify.annotations.NullMarked;
