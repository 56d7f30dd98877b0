/** What the log of a group costs, and how long it is without a leader: processes, no JMH. */
@NullMarked
package io.alrai.microbench.group;

import org.jspecify.annotations.NullMarked;
