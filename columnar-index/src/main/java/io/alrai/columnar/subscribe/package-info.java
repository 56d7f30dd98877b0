/**
 * Brings the stream of one DN to the partitions that lie there. In: records of its log, whoever
 * decodes them. Out: transactions applied to partitions, and how far they are complete. On the
 * feed's thread; partitions come and go on any.
 */
@NullMarked
package io.alrai.columnar.subscribe;

import org.jspecify.annotations.NullMarked;
