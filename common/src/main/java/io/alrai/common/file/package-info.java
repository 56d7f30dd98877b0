/**
 * How much room a file system has, also where the JDK's own classes do not report it. Any thread.
 */
@NullMarked
package io.alrai.common.file;

import org.jspecify.annotations.NullMarked;
