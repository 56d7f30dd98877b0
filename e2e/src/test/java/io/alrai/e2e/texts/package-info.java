/**
 * The texts that reach the mysqlds, word for word: hostile names are planted as every kind of name,
 * and the general logs of the mysqlds show what became of them.
 */
@NullMarked
package io.alrai.e2e.texts;

import org.jspecify.annotations.NullMarked;
