/**
 * A cluster of Alrai for tests of programs that use it: Testcontainers starts a container of
 * Alrai's image, and the test gets a JDBC URL. Used by the test's thread.
 */
@NullMarked
package io.alrai.testcontainers;

import org.jspecify.annotations.NullMarked;
