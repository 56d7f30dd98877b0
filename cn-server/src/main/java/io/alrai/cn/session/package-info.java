/**
 * One client's state: identity, settings, schema, transaction, last results. Owned by the
 * connection's event loop, lent to one virtual thread while a slow statement runs.
 */
@NullMarked
package io.alrai.cn.session;

import org.jspecify.annotations.NullMarked;
