/**
 * A DDL job at work: its steps, locks, numbers, and the shards on which it runs. Virtual threads.
 */
@NullMarked
package io.alrai.cn.ddl.job;

import org.jspecify.annotations.NullMarked;
