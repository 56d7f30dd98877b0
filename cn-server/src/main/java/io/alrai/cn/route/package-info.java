/**
 * From the values of partition keys to places. In: a plan's targets and values. Out: one place,
 * several, or none where a mysqld must be asked first. Any thread; what never blocks says so.
 */
@NullMarked
package io.alrai.cn.route;

import org.jspecify.annotations.NullMarked;
