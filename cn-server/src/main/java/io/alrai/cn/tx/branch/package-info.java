/**
 * The branches of one transaction: how they begin, their savepoints, and how each ends. Event loop
 * of the session.
 */
@NullMarked
package io.alrai.cn.tx.branch;

import org.jspecify.annotations.NullMarked;
