package io.alrai.cn.columnar.wire;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.arrow.flight.CallStatus;
import org.apache.arrow.flight.FlightRuntimeException;

/**
 * Errors on their way from a column node to a CN: {@code alrai ERRNO SQLSTATE SENTENCE} as the
 * description of a Flight status. Stateless.
 */
public final class FlightErrors {
  private static final Pattern KNOWN =
      Pattern.compile("alrai (\\d+) (\\w{5}) (.*)", Pattern.DOTALL);

  private FlightErrors() {}

  /** For who asked. */
  public static FlightRuntimeException status(AlraiException error) {
    return CallStatus.INTERNAL
        .withDescription("alrai " + error.errno() + " " + error.sqlState() + " " + error.sentence())
        .toRuntimeException();
  }

  /**
   * What a call failed with: the node's own error, or that the node does not answer.
   *
   * @param node its name
   */
  public static AlraiException of(RuntimeException failure, String node) {
    if (failure instanceof AlraiException known) {
      return known;
    }
    if (failure instanceof FlightRuntimeException flight) {
      Matcher known = KNOWN.matcher(String.valueOf(flight.status().description()));
      if (known.matches()) {
        return AlraiException.fromServer(
            Integer.parseInt(known.group(1)), known.group(2), known.group(3));
      }
    }
    return new AlraiException(
        ErrorCode.ALRAI_NODE_UNAVAILABLE,
        "the column node " + node + " does not answer: " + failure.getMessage(),
        failure);
  }
}
