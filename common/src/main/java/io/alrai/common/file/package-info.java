/** What the JDK's own classes for files do not tell in every place. */
@NullMarked
package io.alrai.common.file;

import org.jspecify.annotations.NullMarked;
