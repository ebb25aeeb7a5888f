from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("runs", "0003_what_if")]

    operations = [
        migrations.AddField(model_name="episode", name="causes", field=models.JSONField(default=list)),
    ]
