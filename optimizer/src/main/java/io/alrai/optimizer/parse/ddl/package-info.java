/** Parsers of DDL, accounts, privileges and the bodies of routines. Any thread. */
@NullMarked
package io.alrai.optimizer.parse.ddl;

import org.jspecify.annotations.NullMarked;
