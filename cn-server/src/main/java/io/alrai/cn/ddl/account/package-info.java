/** Changes of accounts, roles and privileges. */
@NullMarked
package io.alrai.cn.ddl.account;

import org.jspecify.annotations.NullMarked;
