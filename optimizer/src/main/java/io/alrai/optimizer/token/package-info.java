/** MySQL text as tokens, and the questions that tokens alone answer. Any thread. */
@NullMarked
package io.alrai.optimizer.token;

import org.jspecify.annotations.NullMarked;
