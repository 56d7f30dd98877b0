/**
 * A partition of a table with all its versions: what a reader at a timestamp sees, and when memory
 * may be freed. In: transactions with stamps, in the order of the log, and how far they are
 * complete. Out: scans. Written under one lock by the feed and by compaction; readers take it only
 * to open and to close a scan.
 */
@NullMarked
package io.alrai.columnar.version;

import org.jspecify.annotations.NullMarked;
