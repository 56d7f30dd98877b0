/**
 * Limits of accounts, which hold for all CNs together. In: logins and statements of accounts that
 * have limits, and what other CNs say of their own. Out: a place, or 1203 or 1226. Event loops ask
 * and never wait; virtual threads ask the other CNs.
 */
@NullMarked
package io.alrai.cn.limit;

import org.jspecify.annotations.NullMarked;
