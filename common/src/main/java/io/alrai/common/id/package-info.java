/**
 * Names of the things that cross process borders: nodes, DNs, transactions. Plain values; any
 * thread.
 */
@NullMarked
package io.alrai.common.id;

import org.jspecify.annotations.NullMarked;
