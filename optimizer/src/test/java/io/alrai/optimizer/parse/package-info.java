/** Tests of the way from text to statements. */
@NullMarked
package io.alrai.optimizer.parse;

import org.jspecify.annotations.NullMarked;
