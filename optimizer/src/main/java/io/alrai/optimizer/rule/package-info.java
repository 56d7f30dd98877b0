/** One rewrite per class, named as a sentence. In: trees. Out: better trees. */
@NullMarked
package io.alrai.optimizer.rule;

import org.jspecify.annotations.NullMarked;
