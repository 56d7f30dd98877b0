/**
 * The branches of a session: where it gets them, what is sent to them before they serve, and the
 * replies of one, blocking or not. Event loop of the branch, unless a class says otherwise.
 */
@NullMarked
package io.alrai.cn.branch;

import org.jspecify.annotations.NullMarked;
