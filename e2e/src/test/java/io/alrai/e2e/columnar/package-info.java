/** Column indexes in a running cluster: builds, changes, DDL, kills. */
@NullMarked
package io.alrai.e2e.columnar;

import org.jspecify.annotations.NullMarked;
