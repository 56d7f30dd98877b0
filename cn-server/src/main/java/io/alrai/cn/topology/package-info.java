/**
 * A cluster of several machines before it runs: what its operator writes down of it, the files that
 * are made of that for each machine, and what is looked at on a machine before its node starts.
 */
@NullMarked
package io.alrai.cn.topology;

import org.jspecify.annotations.NullMarked;
