/** MySQL text as tokens, and the questions that tokens alone answer. Any thread. */
@NullMarked
package io.alrai.optimizer.api.token;

import org.jspecify.annotations.NullMarked;
