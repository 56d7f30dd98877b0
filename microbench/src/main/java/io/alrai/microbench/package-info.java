/**
 * What single steps of the hot paths cost, in nanoseconds and in bytes allocated. In: inputs that
 * differ from call to call, for the classes that serve clients. Out: figures of JMH. {@code
 * bench/micro} builds and runs it; it is no part of what ships. Each benchmark has a thread.
 */
@NullMarked
package io.alrai.microbench;

import org.jspecify.annotations.NullMarked;
