/** Administrative statements as trees. In: tokens. Out: statements of {@code optimizer.syntax}. */
@NullMarked
package io.alrai.optimizer.parse;

import org.jspecify.annotations.NullMarked;
