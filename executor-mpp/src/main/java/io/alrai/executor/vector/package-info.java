/**
 * What generated pipelines work on: raw memory, rows off the heap, hash tables, and the state of
 * one worker. In: addresses from generated code. Out: row sets. Each object belongs to one worker
 * until its pipeline ends, then it is only read.
 */
@NullMarked
package io.alrai.executor.vector;

import org.jspecify.annotations.NullMarked;
