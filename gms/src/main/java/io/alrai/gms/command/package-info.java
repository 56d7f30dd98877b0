/** The sealed commands of the replicated log and their encoding. */
@NullMarked
package io.alrai.gms.command;

import org.jspecify.annotations.NullMarked;
