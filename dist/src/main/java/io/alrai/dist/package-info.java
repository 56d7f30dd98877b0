/**
 * Packs a release when it is built with {@code -Pdist}: in come the jars of the class path of this
 * module, the JDK of the build and the scripts of the source tree; out come two files in {@code
 * target}, {@code alrai-VERSION-linux-ARCHITECTURE.tar.gz} and {@code
 * alrai_VERSION_ARCHITECTURE.deb}, with the same bytes for the same sources and JDK. One thread, in
 * a JVM of its own.
 */
@NullMarked
package io.alrai.dist;

import org.jspecify.annotations.NullMarked;
