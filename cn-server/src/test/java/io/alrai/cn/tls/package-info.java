/** Tests of certificates and of the files that TLS is opened with. */
@NullMarked
package io.alrai.cn.tls;

import org.jspecify.annotations.NullMarked;
