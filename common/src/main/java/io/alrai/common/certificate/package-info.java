/** Makes X.509 certificates: elements of DER, keys, signatures. Stateless; any thread. */
@NullMarked
package io.alrai.common.certificate;

import org.jspecify.annotations.NullMarked;
