/** Says TP or AP for a statement, with its reason. */
@NullMarked
package io.alrai.optimizer.split;

import org.jspecify.annotations.NullMarked;
