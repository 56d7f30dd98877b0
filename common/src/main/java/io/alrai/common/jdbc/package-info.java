/**
 * Addresses of MySQL endpoints as the benchmark drivers take them: an address comes in, JDBC
 * connections go out. Knows nothing of Alrai; any thread.
 */
@NullMarked
package io.alrai.common.jdbc;

import org.jspecify.annotations.NullMarked;
