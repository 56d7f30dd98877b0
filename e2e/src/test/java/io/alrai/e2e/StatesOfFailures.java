package io.alrai.e2e;

import io.alrai.testing.ClusterStates;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.BeforeTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs what the clusters of a test did when it fails: the ends of their processes' logs, the
 * connections of their mysqlds. JUnit finds it by META-INF/services.
 */
public final class StatesOfFailures
    implements BeforeTestExecutionCallback, AfterTestExecutionCallback {
  private static final Logger log = LoggerFactory.getLogger(StatesOfFailures.class);

  @Override
  public void beforeTestExecution(ExtensionContext context) {
    ClusterStates.begin();
  }

  @Override
  public void afterTestExecution(ExtensionContext context) {
    if (context.getExecutionException().isPresent()) {
      String test = context.getRequiredTestClass().getSimpleName() + "." + context.getDisplayName();
      ClusterStates.all().forEach(state -> log.error("{} failed; {}", test, state));
    }
  }
}
