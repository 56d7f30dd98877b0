/**
 * Files and file systems as the JDK's own classes do not report or write them: how much room there
 * is, and what is there after a power cut. Any thread.
 */
@NullMarked
package io.alrai.common.file;

import org.jspecify.annotations.NullMarked;
