/** What a CN finishes of its own unfinished commits. */
@NullMarked
package io.alrai.cn.tx.recovery;

import org.jspecify.annotations.NullMarked;
