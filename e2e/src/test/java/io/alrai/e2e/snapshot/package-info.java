/** Reads over several DNs: one snapshot for a statement, and for a transaction. */
@NullMarked
package io.alrai.e2e.snapshot;

import org.jspecify.annotations.NullMarked;
