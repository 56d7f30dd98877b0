/** SQL that the CN writes itself for the values of copied columns. Any thread. */
@NullMarked
package io.alrai.optimizer.api.sql;

import org.jspecify.annotations.NullMarked;
