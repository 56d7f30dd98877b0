/**
 * What reaches the mysqlds, word by word: hostile names are planted as every kind of name, and the
 * general logs of the mysqlds say what became of them.
 */
@NullMarked
package io.alrai.e2e.texts;

import org.jspecify.annotations.NullMarked;
