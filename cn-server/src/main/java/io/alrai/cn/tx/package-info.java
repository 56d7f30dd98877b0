/** Transactions: branches, commit over several DNs, savepoints. */
@NullMarked
package io.alrai.cn.tx;

import org.jspecify.annotations.NullMarked;
