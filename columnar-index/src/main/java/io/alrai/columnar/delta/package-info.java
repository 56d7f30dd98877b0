/**
 * Appended rows with insert and delete stamps, and the index that finds a row by its primary key.
 * In: row images with the stamp of their transaction. Out: vectors whose first rows never change.
 * One writer at a time, any number of readers.
 */
@NullMarked
package io.alrai.columnar.delta;

import org.jspecify.annotations.NullMarked;
