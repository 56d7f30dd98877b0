/**
 * Generates a class for each pipeline of an analytical plan and for each way in which its columns
 * lie in memory. In: fragments and column storages. Out: {@link
 * io.alrai.executor.codegen.PipelineCode}. Called on the thread of a task; the emitters belong to
 * one generation.
 */
@NullMarked
package io.alrai.executor.codegen;

import org.jspecify.annotations.NullMarked;
