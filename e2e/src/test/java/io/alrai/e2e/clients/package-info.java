/** Programs of other languages' MySQL clients, run against Alrai and a plain mysqld. */
@NullMarked
package io.alrai.e2e.clients;

import org.jspecify.annotations.NullMarked;
