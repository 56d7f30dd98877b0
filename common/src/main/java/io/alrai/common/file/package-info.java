/**
 * How much space a file system has, even where the JDK's own classes do not report it. Any thread.
 */
@NullMarked
package io.alrai.common.file;

import org.jspecify.annotations.NullMarked;
