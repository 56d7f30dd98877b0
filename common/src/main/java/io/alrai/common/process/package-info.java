/** Processes that this one begins. Any thread. */
@NullMarked
package io.alrai.common.process;

import org.jspecify.annotations.NullMarked;
