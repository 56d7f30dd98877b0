package io.alrai.cn.tls;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Where the certificates of an endpoint are.
 *
 * @param certificate the server's and those of the CAs between it and the root
 * @param key the certificate's
 * @param authority the root
 */
record TlsFiles(Path certificate, Path key, Optional<Path> authority) {}
