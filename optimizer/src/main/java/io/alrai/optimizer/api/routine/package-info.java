/**
 * Stored procedures as they are interpreted. In: the parameters and the body of a CREATE PROCEDURE
 * that a mysqld has found right. Out: a tree of steps, in which the statements and expressions are
 * pieces of SQL with holes for the routine's variables. Pure; any thread.
 */
@NullMarked
package io.alrai.optimizer.api.routine;

import org.jspecify.annotations.NullMarked;
