/** DDL jobs over real mysqlds. */
@NullMarked
package io.alrai.e2e.ddl;

import org.jspecify.annotations.NullMarked;
